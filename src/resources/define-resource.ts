import type { Answer, Caller, Change } from '../state/answer.ts';
import type { ControlPlane } from '../state/control-plane.ts';

/** The values of a URI's variables; a query variable that is left out is absent. */
export type ResourceVariables = { readonly [name: string]: string };

/** One read-only view under a URI. */
export interface Resource {
  /** With variables as `{goal}`; a query variable as `{?after}`. Without variables it is listed as it stands. */
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: 'application/json' | 'text/markdown';
  readonly read: (plane: ControlPlane, variables: ResourceVariables, caller: Caller) => Promise<Answer>;
  /** Whether somebody who read it before the change may see something else after it. */
  readonly isTouchedBy: (change: Change, variables: ResourceVariables) => boolean;
  /** Values for its variable. */
  readonly complete?: (plane: ControlPlane, caller: Caller) => Promise<readonly string[]>;
}
