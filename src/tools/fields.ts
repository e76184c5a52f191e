import * as z from 'zod';
import { limits } from '../state/kernel/limits.ts';

/**
 * The kinds of argument that tools take. Limits are checked by `parseInput` and said in descriptions only: hosts drop
 * `maxLength` and its like from schemas, and some refuse to start over them. `examples` feed the refusals.
 */

const idLike = /^[tgeha]\d+$/i;

/** Ids are written T1 whoever typed t1; a name that is no id (a `ref` of the same call) only loses its blanks. */
function asId(text: string): string {
  const trimmed = text.trim();
  return idLike.test(trimmed) ? trimmed.toUpperCase() : trimmed;
}

export const id = (example: string) =>
  z
    .string()
    .max(limits.titleChars)
    .overwrite(asId)
    .meta({ examples: [example] });
export const ids = (example: string) => z.array(id(example)).max(limits.listItems);

/** A goal's slug. */
export const slug = () =>
  z
    .string()
    .max(limits.titleChars)
    .overwrite((text) => text.trim().toLowerCase())
    .meta({ examples: ['csv-import'] });

export const title = (example: string) =>
  z
    .string()
    .max(limits.titleChars)
    .meta({ examples: [example] });
export const question = (example: string) =>
  z
    .string()
    .max(limits.questionChars)
    .meta({ examples: [example] });
export const text = (example: string) =>
  z
    .string()
    .max(limits.textChars)
    .meta({ examples: [example] });
export const word = (example: string) =>
  z
    .string()
    .trim()
    .max(limits.titleChars)
    .meta({ examples: [example] });
/** A short name such as `yes`: written one way whoever typed it. */
export const key = (example: string) =>
  z
    .string()
    .trim()
    .toLowerCase()
    .min(1)
    .max(limits.titleChars)
    .meta({ examples: [example] });
export const texts = (example: string) => z.array(text(example)).max(limits.listItems);
export const words = (example: string) => z.array(word(example)).max(limits.listItems);
export const globs = () =>
  z
    .array(
      z
        .string()
        .max(limits.globChars)
        .meta({ examples: ['src/**'] }),
    )
    .max(limits.listItems);

export const oneOf = <const Values extends readonly [string, ...string[]]>(...values: Values) => z.enum(values);
export const flag = () => z.boolean();
export const seconds = (min: number, max: number, example: number) =>
  z
    .number()
    .min(min)
    .max(max)
    .meta({ examples: [example] });
export const amount = (example: number) =>
  z
    .number()
    .min(0)
    .meta({ examples: [example] });
export const whole = (min: number, max: number, example: number) =>
  z
    .number()
    .int()
    .min(min)
    .max(max)
    .meta({ examples: [example] });

/** An instant as ISO 8601 text; what it means is the control plane's to say. */
export const instant = () =>
  z
    .string()
    .trim()
    .max(64)
    .meta({ examples: ['2031-05-01T12:00:00Z'] });

export const agentId = () =>
  z
    .string()
    .max(limits.titleChars)
    .meta({ examples: ['ann'] });

/** What every write takes beside its own arguments. */
export const writeFields = {
  agent: agentId().optional(),
  idempotencyKey: z
    .string()
    .min(1)
    .max(limits.titleChars)
    .meta({ examples: ['turn-17'] })
    .optional(),
};
