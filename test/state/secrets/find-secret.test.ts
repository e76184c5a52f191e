import { createHash, generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { findSecret } from '../../../src/state/secrets/find-secret.ts';

const lower = 'abcdefghijklmnopqrstuvwxyz';
const digits = '0123456789';
const alphanumeric = lower + lower.toUpperCase() + digits;

/** Random characters with at least one digit; nothing token-like stands in this file. */
function chars(length: number, from = alphanumeric): string {
  const any = Array.from({ length: length - 1 }, () => from[Math.floor(Math.random() * from.length)]).join('');
  return `${any}${from.includes('7') ? '7' : from[0]}`;
}

const marker = (end: 'BEGIN' | 'END', kind: string) => `-----${end} ${kind} ${'KEY'}-----`;
const pem = (kind: string, body: string) => `${marker('BEGIN', kind)}\n${body}\n${marker('END', kind)}`;
const join = (...parts: string[]) => parts.join('');

const secrets: readonly (readonly [name: string, kind: string, make: () => string])[] = [
  ['RSA private key with its body cut short', 'privatekey', () => pem('RSA PRIVATE', 'MIIE…')],
  ['RSA private key of two lines', 'privatekey', () => pem('RSA PRIVATE', `MIIE${chars(60)}\n${chars(64)}`)],
  [
    'PKCS#8 key as Node writes it',
    'privatekey',
    () => {
      const { privateKey } = generateKeyPairSync('ed25519');
      return privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
    },
  ],
  ['OpenSSH key without its last line', 'privatekey', () => `${marker('BEGIN', 'OPENSSH PRIVATE')}\n${chars(70)}`],
  ['EC key as a JSON string', 'privatekey', () => JSON.stringify(pem('EC PRIVATE', `${chars(64)}\n${chars(20)}`))],
  ['encrypted key', 'privatekey', () => pem('ENCRYPTED PRIVATE', chars(64))],
  ['PGP key block', 'privatekey', () => pem('PGP PRIVATE', chars(64)).replaceAll('KEY-', 'KEY BLOCK-')],
  ['GitHub token', 'github', () => join('gh', 'p_', chars(36))],
  ['GitHub app token', 'github', () => join('gh', 's_', chars(36))],
  ['GitHub fine-grained token', 'github', () => join('github', '_pat_', chars(22), '_', chars(59))],
  ['AWS access key id', 'aws', () => join('AK', 'IA', chars(16, lower.toUpperCase()))],
  ['AWS secret key', 'aws', () => join('aws_secret', '_access_key = ', chars(40))],
  ['Slack bot token', 'slack', () => join('xo', 'xb-', chars(12, digits), '-', chars(12, digits), '-', chars(24))],
  [
    'Slack webhook',
    'slack',
    () => join('https://hooks.', 'slack.com/services/T', chars(8), '/B', chars(8), '/', chars(24)),
  ],
  ['npm token', 'npm', () => join('np', 'm_', chars(36))],
  ['npm token of the old kind', 'npm', () => join('_auth', 'Token=', randomUUID())],
  ['Anthropic key', 'anthropic', () => join('sk-', 'ant-', 'api03-', chars(93), 'AA')],
  ['Anthropic key cut short', 'anthropic', () => join('sk-', 'ant-', 'api03-', chars(30))],
  ['Anthropic login token', 'anthropic', () => join('sk-', 'ant-', 'oat01-', chars(80))],
  ['OpenAI key', 'openai', () => join('sk-', chars(20), 'T3Blbk', 'FJ', chars(20))],
  ['OpenAI key of the old kind', 'openai', () => join('sk-', '1', chars(47))],
  ['OpenAI project key', 'openai', () => join('sk-', 'proj-', '1', chars(47))],
  ['GitLab token', 'gitlab', () => join('gl', 'pat-', chars(20))],
  ['Stripe key', 'stripe', () => join('sk', '_live_', chars(24))],
  ['Google key', 'google', () => join('AI', 'za', chars(35))],
  ['URL with a password', 'basicauth', () => join('https://admin', ':', 'pa55word', '@db.example.org/x')],
  [
    'database URL with a password',
    'database-connection-string',
    () => join('postgres://admin', ':', 'pa55word', '@db.example.org:5432/x'),
  ],
];

describe('text that looks like a credential is found, and the field named', () => {
  test.each(secrets)('%s [R26]', async (_, kind, make) => {
    const fields = {
      summary: 'All is well.',
      'evidence[0].summary': `It works with ${make()} in the environment.`,
      note: 'Nothing else.',
    };
    const found = await findSecret(fields);
    expect(found?.field).toBe('evidence[0].summary');
    expect(found?.kind).toBe(kind);
  });

  test('at the very beginning, the very end, alone in the last field, and beside empty ones [R26]', async () => {
    const token = join('gh', 'p_', chars(36));
    expect(await findSecret({ a: token, b: token })).toEqual({ field: 'a', kind: 'github' });
    expect(await findSecret({ a: '', b: '', c: `x ${token}`, d: '' })).toEqual({ field: 'c', kind: 'github' });
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`f${i}`, i === 50 ? token : 'x']));
    expect(await findSecret(many)).toEqual({ field: 'f50', kind: 'github' });
    expect(await findSecret({ a: 'x', b: token })).toEqual({ field: 'b', kind: 'github' });
  });

  test('a comment in the text does not switch the scan off [R26]', async () => {
    const token = join('gh', 'p_', chars(36));
    for (const comment of ['secretlint-disable', 'secretlint-disable-line', 'secretlint-disable-next-line']) {
      const text = `/* ${comment} */ ${token}\n// ${comment}\n${token} <!-- ${comment} -->\n`;
      expect(await findSecret({ text })).toEqual({ field: 'text', kind: 'github' });
    }
  });
});

describe('text that only looks odd is let through', () => {
  const prose = 'The lease is renewed by a heartbeat every quarter of its time, and nobody who is awake loses it.';
  test.each<readonly [string, () => string]>([
    ['SHA-256', () => createHash('sha256').update(randomBytes(8)).digest('hex')],
    ['git sha', () => randomBytes(20).toString('hex')],
    ['UUID', () => randomUUID()],
    ['base64 of prose', () => Buffer.from(prose).toString('base64')],
    ['base64 of 30 random bytes', () => randomBytes(30).toString('base64')],
    ['integrity of a package', () => `sha512-${randomBytes(64).toString('base64')}`],
    ['public key', () => generateKeyPairSync('ed25519').publicKey.export({ format: 'pem', type: 'spki' }).toString()],
    ['certificate', () => pem('PUBLIC', chars(64)).replaceAll('PUBLIC KEY', 'CERTIFICATE')],
    ['header that is talked about', () => `The parser expects ${marker('BEGIN', 'RSA PRIVATE')} as its first line.`],
    ['hyphenated name', () => 'sk-learn-pipeline-with-a-very-long-descriptive-name-for-it'],
    ['word that ends in sk-', () => `task-${'proj'}-move-the-old-files-to-another-folder-by-tomorrow`],
    ['environment variables by name', () => 'Set GITHUB_TOKEN, AWS_SECRET_ACCESS_KEY and ANTHROPIC_API_KEY first.'],
    ['URL with placeholders', () => join('postgres://$', '{USER}:$', '{PASSWORD}@localhost/x')],
    ['URL without a password', () => 'https://ann@example.org/a:b?c=d and postgres://localhost:5432/x'],
    ['prose', () => prose],
  ])('%s [R26]', async (_, make) => {
    for (let i = 0; i < 20; i++) expect(await findSecret({ text: `See ${make()} for more.` })).toBeUndefined();
  });

  test('no fields at all', async () => {
    expect(await findSecret({})).toBeUndefined();
  });
});

test('many texts in one process leave no measurements behind', async () => {
  for (let i = 0; i < 200; i++) await findSecret({ text: 'The quick brown fox.' });
  expect(performance.getEntriesByType('mark')).toEqual([]);
});

test('hostile text of the largest size is scanned to its end', async () => {
  const header = marker('BEGIN', 'RSA PRIVATE');
  const hostile = [header, `${header}\n`, 'sk-', 'sk-proj-', '-----BEGIN ', 'https://a:', 'a'.repeat(9), ' \n'];
  const token = join('gh', 'p_', chars(36));
  for (const part of hostile) {
    const long = part.repeat(Math.ceil(256_000 / part.length));
    expect(await findSecret({ long, last: ` ${token} ` })).toMatchObject({ kind: 'github' });
  }
});
