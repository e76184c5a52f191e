/** Control characters and marks that turn the direction of text: a peer's words must not paint over a question. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const unseen = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Text of others as a terminal may show it: each character that would do something else than show is `�`. */
export function plain(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(unseen, '\ufffd');
}
