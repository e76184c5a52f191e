import type { Command } from 'commander';
import type { Answer } from '../../state/answer.ts';
import type { ControlPlane } from '../../state/control-plane.ts';
import { badArgument } from '../../state/kernel/refusal.ts';
import { refusedAnswer } from '../../tools/call-tool.ts';
import type { AddAction } from '../add-action.ts';
import { askPerson } from '../ask-person.ts';
import type { CliCall } from '../cli-call.ts';
import {
  actOnYes,
  addProofFlags,
  keyFileOf,
  logIdOf,
  notDone,
  ownerAs,
  signedOwner,
  textFlag,
  withKey,
} from '../owner-act.ts';
import { makeKey, publicKeyText } from '../owner-key.ts';
import { withFoot } from '../text/answer-text.ts';

type Flags = { readonly [name: string]: unknown };
const grades = ['prompt', 'confirmed', 'signed'] as const;

/** The owner's key, and how sure the workspace wants to be that the owner spoke. */
export function addOwnerCommands(noun: Command, addAction: AddAction): void {
  addAction(
    noun
      .command('init')
      .summary("Make the owner's key, for signed answers")
      .description(
        'Makes an Ed25519 key pair: the private key in a file outside the workspace, the public one in the log.',
      )
      .option('--key-file <file>', 'where the private key is kept')
      .option('--sign-with <file>', 'the key that is set now, to put this one in its place'),
    async (call, flags) =>
      call.print(await call.answered((plane) => withKey(() => initKey(call, plane, flags))), (answer) =>
        withFoot(`The owner's key is set. Its private half is in ${answer.keyFile}; keep it from agents.`, answer),
      ),
  );
  addAction(
    addProofFlags(noun.command('grade <grade>').summary('Set the least grade of answers: prompt, confirmed or signed')),
    async (call, flags, [grade]) =>
      call.print(await call.answered((plane) => withKey(() => setGrade(call, plane, grade ?? '', flags)))),
  );
}

async function initKey(call: CliCall, plane: ControlPlane, flags: Flags): Promise<Answer> {
  const status = await plane.query({ type: 'goals' }, call.observer);
  if (!status.ok) return status;
  const place = call.findWorkspace();
  const workspace = place.ok ? place.root : '';
  const keyFile = keyFileOf(call, flags);
  const oldKey = textFlag(flags.signWith);
  if (oldKey === undefined) {
    const said = await askPerson(
      call.env,
      `Set the owner's key of ${workspace}? Its private half is kept in ${keyFile}.`,
      'Type yes to do it; anything else leaves it as it is:',
    );
    if ('why' in said) return notDone(said.why);
    if (said.typed.toLowerCase() !== 'yes') return notDone('yes was not typed');
  }
  const publicKey = publicKeyText(makeKey(keyFile, workspace).key);
  const act = { type: 'owner.set-key', publicKey } as const;
  const log = await logIdOf(plane, call);
  const owner =
    oldKey === undefined
      ? ownerAs(call, 'confirmed')
      : signedOwner(call, oldKey, () => `owner key ${log} ${publicKey}`);
  const answer = await plane.own(act, owner, call.common.idempotencyKey);
  return answer.ok ? { ...answer, publicKey, keyFile } : answer;
}

async function setGrade(call: CliCall, plane: ControlPlane, word: string, flags: Flags): Promise<Answer> {
  const minGrade = grades.find((grade) => grade === word.toLowerCase());
  if (minGrade === undefined)
    return refusedAnswer(badArgument('grade', `grade is one of ${grades.join(', ')}, not "${word}".`).refusal);
  const act = { type: 'owner.set-min-grade', minGrade } as const;
  if (flags.sign !== true)
    return actOnYes(call, plane, act, `Let the owner's answers in this workspace need grade ${minGrade}?`, {});
  const log = await logIdOf(plane, call);
  const owner = signedOwner(call, keyFileOf(call, flags), (at) => `min grade ${log} ${minGrade} ${at}`);
  return plane.own(act, owner, call.common.idempotencyKey);
}
