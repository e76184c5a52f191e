import type { Command } from 'commander';
import type { Answer } from '../state/answer.ts';
import { badArgument } from '../state/kernel/refusal.ts';
import { callTool, refusedAnswer } from '../tools/call-tool.ts';
import type { Tool } from '../tools/define-tool.ts';
import { tools } from '../tools/registry.ts';
import type { AddAction } from './add-action.ts';
import type { CliCall } from './cli-call.ts';
import { addToolFlags, rawArguments, unknownParts } from './flags.ts';
import { toolTexts } from './text/tool-texts.ts';

/** The commands of one noun, made when it is first needed: tools and people's commands share nouns. */
export type NounCommand = (noun: string) => Command;

/** `loopx <noun> <verb>` for every tool of the registry. */
export function addToolCommands(program: Command, nounCommand: NounCommand, addAction: AddAction): void {
  for (const tool of tools) {
    const command = tool.verb === undefined ? program.command(tool.noun) : nounCommand(tool.noun).command(tool.verb);
    command.summary(tool.title).description(tool.description);
    addToolFlags(command, tool);
    addAction(command, (call, flags) => runTool(tool, call, flags));
  }
}

async function runTool(tool: Tool, call: CliCall, flags: { readonly [name: string]: unknown }): Promise<void> {
  call.print(await answerOf(tool, call, flags), toolTexts[tool.name]);
}

async function answerOf(tool: Tool, call: CliCall, flags: { readonly [name: string]: unknown }): Promise<Answer> {
  const raw = rawArguments(tool, flags, { ...call.common });
  const [unknown] = unknownParts(tool, raw);
  if (unknown !== undefined) {
    const { refusal } = badArgument(
      unknown,
      `\`${unknown}\` is no argument of ${tool.name}; see \`loopx ${usageOf(tool)} --help\`.`,
    );
    return refusedAnswer(refusal);
  }
  // An agent that is an argument of the tool itself may mean another than who asks (the filter of a history).
  const caller = 'agent' in raw ? { ...call.caller, agent: undefined } : call.caller;
  return callTool(
    tool,
    raw,
    () => call.open(),
    caller,
    (plane, args) => tool.run(plane, args, caller),
  );
}

/** "todo claim" */
export function usageOf(tool: Tool): string {
  return tool.verb === undefined ? tool.noun : `${tool.noun} ${tool.verb}`;
}
