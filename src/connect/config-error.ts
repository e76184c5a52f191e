/** Why a configuration file was left as it is. */
export type ConfigErrorCode =
  | 'config-broken'
  | 'config-shape'
  | 'config-too-large'
  | 'config-not-text'
  | 'config-read-only'
  | 'config-outside'
  | 'config-changed'
  | 'config-unreadable';

/** The file is as it was; the message is a sentence that names what to do, without the file's name. */
export class ConfigError extends Error {
  readonly code: ConfigErrorCode;

  constructor(code: ConfigErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
