/** The files that a patch in Codex's own form adds, updates, deletes or moves. */
export function patchFiles(patch: string): readonly string[] {
  const files = patch.matchAll(/^\s*\*\*\* (?:Add File|Update File|Delete File|Move to): (.+?)\s*$/gm);
  return [...new Set([...files].map(([, file]) => file as string))];
}
