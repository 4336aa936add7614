import { readFileSync } from 'node:fs';

/*
 * What each party gets of each endpoint that is about another account: the table `test/data/parties.tsv`, written down by hand.
 * A cell is the status of the answer, and behind a colon how many entries a list has. `input` stands in the query of a GET, else in
 * the body, as `name=value&name=value`; `{id}` and `{acct}` are the account's.
 *
 * Every account asked about has two followers (fan and keen) and one public post, follows and endorses fan, favours a post of
 * fan's, wants to be found, shows its birthday, and is suggested by the staff.
 */

/** Who asks about alice: nobody signed in, a stranger, a follower, whom she blocked or muted, who blocked or muted her, deactivated. */
export const VIEWERS = [
  'anonymous',
  'stranger',
  'follower',
  'blocked',
  'muted',
  'blocker',
  'muter',
  'deactivated',
] as const;

/** Whom a stranger asks about: locked, hiding its network and favourites, remote, deactivated, not approved yet, the stranger. */
export const TARGETS = ['locked', 'hidden', 'remote', 'gone', 'pending', 'self'] as const;

export interface PartyRow {
  readonly call: string;
  readonly input: URLSearchParams;
  readonly viewers: Readonly<Record<string, string>>;
  readonly targets: Readonly<Record<string, string>>;
}

export function partyRows(): PartyRow[] {
  const [header = '', ...lines] = readFileSync(new URL('../data/parties.tsv', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
  const names = header.split('\t');
  return lines.map((line) => {
    const cells = new Map(line.split('\t').map((cell, at) => [names[at], cell]));
    const pick = (columns: readonly string[]) =>
      Object.fromEntries(columns.map((name) => [name, cells.get(name) ?? 'missing']));
    return {
      call: cells.get('call') ?? '',
      input: new URLSearchParams(cells.get('input')),
      viewers: pick(VIEWERS),
      targets: pick(TARGETS),
    };
  });
}
