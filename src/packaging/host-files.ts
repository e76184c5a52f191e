import {
  callMsMax,
  claudeCodeServer,
  cursorServer,
  type HostSetup,
  hostSetups,
  serverCommand,
} from '../hosts/host-setups.ts';
import { prompts } from '../prompts/registry.ts';
import { tools } from '../tools/registry.ts';
import { version } from '../version.ts';
import { hostNotes } from './host-notes.ts';
import { hookFiles, pluginFiles } from './plugin-files.ts';

/** Every file under hosts/ with its text, from the registries; `npm run hosts:write` writes them, a test holds them. */
export function hostFiles(): ReadonlyMap<string, string> {
  return new Map([
    ...hostSetups.flatMap((setup) => [
      [`${setup.host}/${setup.file}`, configuration[setup.host]] as const,
      [`${setup.host}/README.md`, page(setup)] as const,
    ]),
    ...pluginFiles(),
    ...hookFiles(),
  ]);
}

const configuration: { readonly [host in HostSetup['host']]: string } = {
  'claude-code': json({ mcpServers: { loopx: claudeCodeServer } }),
  codex: [
    '[mcp_servers.loopx]',
    `command = ${JSON.stringify(serverCommand.command)}`,
    `args = [${serverCommand.args.map((arg) => JSON.stringify(arg)).join(', ')}]`,
    '# Without it Codex silently leaves out a server that is late, and the agent works ungoverned.',
    'required = true',
    '# The first start may have to download the package.',
    'startup_timeout_sec = 60',
    `tool_timeout_sec = ${callMsMax / 1_000}`,
    '',
  ].join('\n'),
  cursor: json({ mcpServers: { loopx: cursorServer } }),
};

/** As the formatter has it: a list of words on one line. */
function json(value: object): string {
  const text = JSON.stringify(value, null, 2);
  return `${text.replace(/\[\s+([^\]{}]*?)\s+\]/g, (_, words: string) => `[${words.replace(/,\s+/g, ', ')}]`)}\n`;
}

function page(setup: HostSetup): string {
  const { host, title, file, place, install, check, remove, toolPrefix } = setup;
  const notes = hostNotes[host];
  const parts = [
    `# LoopX in ${title}`,
    '<!-- Written by `npm run hosts:write`; change src/packaging/ or the registries instead. -->',
    `Server key \`loopx\`, package \`loopx-mcp@${version}\`; Node 20 or newer.`,
    section('Install', [
      'In the project:',
      fenced(install, host === 'cursor' ? '' : 'sh'),
      `Or copy [${file}](${file}) to ${place}.`,
      list(notes.setup),
    ]),
    section('Check', [
      fenced(check, host === 'cursor' ? '' : 'sh'),
      `Then ask the agent for \`${toolPrefix}goal_status\`: its answer names the workspace. \`${cli('doctor')}\` says in a terminal which workspace, which store and how both are.`,
    ]),
    section('Answer a gate', [
      list([
        ...notes.answering,
        `From any terminal: \`${cli('gate list')}\`, \`${cli('gate answer G1 yes')}\`. An agent's shell is not taken for one.`,
      ]),
    ]),
    section('What holds, and what is only advised', [
      'Held by the server, in every host: one holder a todo, fenced by its token; no tool opens a gate; done needs fresh evidence for every criterion; only the owner changes a goal; spending needs a validated writeback.',
      'Outside the server, and so advised unless a hook enforces it as said below: to ask before each turn, to write only inside the claimed scope, to leave alone what a gate protects, to write back at the end.',
      list(notes.enforced),
    ]),
    section('Remove', [
      host === 'cursor' ? `${capital(remove)}.` : fenced(remove, 'sh'),
      'What was recorded stays in `.loopx/` of the project; delete that folder to forget it.',
    ]),
    section('Tools', [
      table(
        ['Tool', 'Does', 'Kind'],
        tools.map(({ name, title: does, kind }) => [
          `\`${toolPrefix}${name}\``,
          does,
          kind === 'read' ? 'reads' : 'writes',
        ]),
      ),
    ]),
    section('Slash commands', [
      host === 'codex' ? 'Not shown by Codex; each can be had in a terminal.' : '',
      table(
        ['Command', 'Does'],
        prompts.map(({ name, description }) => [`\`${name}\``, description]),
      ),
    ]),
  ];
  return `${parts.join('\n\n')}\n`;
}

function section(title: string, parts: readonly string[]): string {
  return [`## ${title}`, ...parts.filter((part) => part !== '')].join('\n\n');
}

function cli(words: string): string {
  return [serverCommand.command, ...serverCommand.args, words].join(' ');
}

function fenced(text: string, language: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

function list(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

/** Columns are padded, as the formatter has it. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, at) => Math.max(...[head, ...rows].map((row) => row[at]?.length ?? 0)));
  const rule = widths.map((width) => '-'.repeat(width));
  return [head, rule, ...rows]
    .map((row) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`)
    .join('\n');
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
