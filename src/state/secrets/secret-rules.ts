/** Where a scanner found something, in characters of the scanned text, and what it takes it for ("github"). */
export interface Found {
  readonly kind: string;
  readonly from: number;
}

/** The part of secretlint's contract for rules that is used here. */
interface Rule {
  readonly meta: { readonly id: string };
  create(context: RuleContext, options: object): { file?(source: RuleSource): void | Promise<void> };
}

interface RuleContext {
  createTranslator(messages: object): (messageId: string) => { readonly messageId: string };
  report(found: { readonly message: { readonly messageId: string }; readonly range: readonly [number, number] }): void;
}

interface RuleSource {
  readonly content: string;
  readonly filePath: string;
  readonly ext: string;
}

const ruleIdPrefix = '@secretlint/secretlint-rule-';

/**
 * The rules of secretlint's recommended preset, called without its core: core keeps a measurement of every rule and
 * scan until the process ends, which a server that runs for days cannot afford. Left out is the rule by which a
 * comment in the text switches the scan off, since here the text is written by those who are to be checked.
 */
export async function scanByPreset(text: string): Promise<readonly Found[]> {
  const found: Found[] = [];
  const rules = await presetRules();
  // The name makes the npm rule look for `_authToken=` too.
  const source: RuleSource = { content: text, filePath: '.npmrc', ext: '' };
  await Promise.all(
    rules.map((rule) => {
      const kind = rule.meta.id.replace(ruleIdPrefix, '');
      const context: RuleContext = {
        // The messages quote what was found, so they are never made.
        createTranslator: () => (messageId) => ({ messageId }),
        report: ({ message, range }) => {
          // An account's number is no secret; it comes with the option that finds access keys.
          if (message.messageId !== 'AWSAccountID') found.push({ kind, from: range[0] });
        },
      };
      return rule.create(context, { enableIDScanRule: true }).file?.(source);
    }),
  );
  return found;
}

let loaded: Promise<readonly Rule[]> | undefined;

/** Loaded with the first text that is scanned: starting up does not wait for it. */
function presetRules(): Promise<readonly Rule[]> {
  loaded ??= import('@secretlint/secretlint-rule-preset-recommend').then(({ rules }) =>
    (rules as readonly Rule[]).filter(({ meta }) => meta.id !== `${ruleIdPrefix}filter-comments`),
  );
  return loaded;
}
