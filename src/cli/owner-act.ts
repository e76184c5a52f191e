import type { Command } from 'commander';
import { ownerName } from '../host/owner-name.ts';
import type { Answer, OwnerCaller } from '../state/answer.ts';
import type { ControlPlane } from '../state/control-plane.ts';
import type { OwnerAct } from '../state/kernel/commands.ts';
import { signedActText } from '../state/kernel/gate-subject.ts';
import type { Gate } from '../state/kernel/model.ts';
import { type Refusal, refuse } from '../state/kernel/refusal.ts';
import { refusedAnswer } from '../tools/call-tool.ts';
import { askPerson } from './ask-person.ts';
import type { CliCall } from './cli-call.ts';
import { defaultKeyFile, OwnerKeyError, readKey, signText } from './owner-key.ts';

/** The owner as the command line knows them: unasked, having typed a confirmation, or by signature. */
export function ownerAs(call: CliCall, grade: OwnerCaller['grade'], proof: Partial<OwnerCaller> = {}): OwnerCaller {
  return { name: ownerName(call.env), channel: 'cli', grade, ...proof };
}

/** The flags of commands that need the owner's yes or signature. */
export function addProofFlags(command: Command): Command {
  return command
    .option('--sign', "sign it with the owner's key instead of typing yes")
    .option('--key-file <file>', "the owner's private key");
}

/**
 * Records an act of the owner after `yes` was typed on the terminal, or signed with `--sign`; else nothing changes and
 * the answer says why.
 * @param gate the gate that the act is about, as the log has it
 */
export async function actOnYes(
  call: CliCall,
  plane: ControlPlane,
  act: OwnerAct,
  question: string,
  flags: { readonly [name: string]: unknown },
  gate?: Gate,
): Promise<Answer> {
  if (flags.sign === true) {
    const log = await logIdOf(plane, call);
    return withKey(async () => {
      const owner = signedOwner(call, keyFileOf(call, flags), (at) => signedActText(log, act, gate, at));
      return plane.own(act, owner, call.common.idempotencyKey);
    });
  }
  const said = await askPerson(call.env, question, 'Type yes to do it; anything else leaves it as it is:');
  if ('why' in said) return notDone(said.why);
  if (said.typed.toLowerCase() !== 'yes') return notDone('yes was not typed');
  return plane.own(act, ownerAs(call, 'confirmed'), call.common.idempotencyKey);
}

export function notDone(why: string, what = 'Nothing was changed', details: Refusal['details'] = {}): Answer {
  const how = 'the owner does it at a terminal of their own';
  return refusedAnswer(refuse('not-allowed', `${what}: ${why}; ${how}.`, details).refusal);
}

/** The owner whose key signs the text that `textOf` makes for the time of signing (ISO). */
export function signedOwner(call: CliCall, keyFile: string, textOf: (at: string) => string): OwnerCaller {
  const signedAt = new Date().toISOString();
  return ownerAs(call, 'signed', { signature: signText(readKey(keyFile), textOf(signedAt)), signedAt });
}

/** The id of the workspace's log, which every signature names; '' where nothing was ever written. */
export async function logIdOf(plane: ControlPlane, call: CliCall): Promise<string> {
  const answer = await plane.query({ type: 'log.read', after: 0, limit: 1 }, call.observer);
  const [first] = (answer.ok ? answer.commits : []) as readonly { readonly log?: string }[];
  return first?.log ?? '';
}

/** Trouble with a key file is an answer like any other refusal. */
export async function withKey(run: () => Promise<Answer>): Promise<Answer> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof OwnerKeyError)) throw error;
    return refusedAnswer(refuse('not-allowed', error.message, { keyFile: error.code }).refusal);
  }
}

/** The key file that was named, else the usual one. */
export function keyFileOf(call: CliCall, flags: { readonly [name: string]: unknown }): string {
  return textFlag(flags.keyFile) ?? defaultKeyFile(call.env);
}

export function textFlag(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
