import { ConfigError } from './config-error.ts';
import type { Entry, Host } from './host-table.ts';
import { serverKey } from './host-table.ts';
import { jsonFormat } from './json-edit.ts';
import { tomlFormat } from './toml-edit.ts';

/** The table of servers, and the key in it. */
export type Place = readonly [servers: string, key: string];

/** A format of configuration files. Each throws ConfigError when the text is broken or of an unknown shape. */
export interface Format {
  /** The entry at the place, or undefined. */
  read(text: string, place: Place): Entry | undefined;
  /** The text with the entry: own keys are set, other keys only where they are missing. The same text when it has it. */
  set(text: string, place: Place, entry: Entry, ownKeys: readonly string[]): string;
  /** The text without the entry. */
  unset(text: string, place: Place): string;
}

const formats: { readonly [format in Host['format']]: Format } = { json: jsonFormat, toml: tomlFormat };

/** The server's entry in a host's file, if it has one. */
export function readServer(host: Host, text: string): Entry | undefined {
  return formats[host.format].read(text, [host.servers, serverKey]);
}

/** The file with the server in it; what the person set beside the host's own keys stays. */
export function withServer(host: Host, text: string, entry: Entry): string {
  return formats[host.format].set(text, [host.servers, serverKey], entry, host.ownKeys);
}

/** The file without the server. */
export function withoutServer(host: Host, text: string): string {
  return formats[host.format].unset(text, [host.servers, serverKey]);
}

/**
 * Which of the texts the file had before `withServer` made it what it is now: none when something else has changed
 * since.
 * @param candidates what it may have been, the likeliest first
 */
export function textBefore(host: Host, now: string, candidates: readonly string[]): string | undefined {
  const entry = readServer(host, now);
  if (entry === undefined) return undefined;
  return candidates.find((text) => {
    try {
      return readServer(host, text) === undefined && withServer(host, text, entry) === now;
    } catch (error) {
      // A backup of a file that was broken then is no candidate.
      if (error instanceof ConfigError) return false;
      throw error;
    }
  });
}
