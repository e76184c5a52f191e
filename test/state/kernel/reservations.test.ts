import { describe, expect, it } from 'vitest';
import { claim, note, reserve, update } from './acts.ts';
import { givenGoal } from './given.ts';

const src = { title: 'src', scope: { paths: ['src/**'] } };
const lexer = { title: 'lexer', scope: { paths: ['src/lexer/*.ts'] } };
const docs = { title: 'docs', scope: { paths: ['docs/**'], resources: ['port:8080'] } };

describe('claiming a todo reserves its scope', () => {
  it('against todos whose globs overlap, and against nothing else [R36]', () => {
    const given = givenGoal([src, lexer, docs]);
    given.do('ann', claim('T1'));
    expect(given.refused('bob', 'reserved', claim('T2')).details).toMatchObject({ holder: 'ann', todo: 'T1' });
    given.do('bob', claim('T3'));
  });

  it('not against the agent itself, and no longer than the claim [R36]', () => {
    const given = givenGoal([src, lexer]);
    given.do('ann', claim('T1'));
    given.do('ann', claim('T2'));
    given.do('ann', update('T2', { state: 'open' }));
    given.do('ann', update('T1', { state: 'open' }));
    given.do('bob', claim('T2'));
  });

  it('also what the scope grows over while it is worked on [R36]', () => {
    const given = givenGoal([src, docs]);
    given.do('ann', claim('T1'));
    given.do('bob', claim('T2'));
    given.refused('bob', 'reserved', update('T2', { scope: { paths: ['src/a.ts'] } }));
    given.do('bob', update('T2', { scope: { paths: ['test/**'] } }));
    given.refused('cat', 'reserved', reserve(['path:test/a.ts']));
  });

  it('against a reservation by hand, and the other way round [R36]', () => {
    const given = givenGoal([docs]);
    given.do('ann', reserve(['port:8080']));
    given.refused('bob', 'reserved', claim('T1'));
    given.do('ann', reserve(['port:8080'], { release: true }));
    given.do('bob', claim('T1'));
    given.refused('ann', 'reserved', reserve(['path:docs/index.md']));
    given.refused('ann', 'reserved', reserve(['PORT:8080'], { mode: 'shared' }));
  });
});

describe('a reservation', () => {
  it('is held by one agent, or by many who share it; all of what was asked or none [R36]', () => {
    const given = givenGoal();
    given.do('ann', reserve(['deploy:prod']));
    given.refused('bob', 'reserved', reserve(['account:shop-1', 'deploy:prod']));
    expect([...given.state.reservations.keys()]).toEqual(['deploy:prod ann']);
    given.do('ann', reserve(['log:x'], { mode: 'shared' }));
    given.do('bob', reserve(['log:x'], { mode: 'shared' }));
    given.refused('cat', 'reserved', reserve(['log:x']));
    given.refused('ann', 'reserved', reserve(['log:x'], { mode: 'exclusive' }));
  });

  it('is a lease: it lives by its ttl or heartbeat, and goes at once with a dead holder [R36]', () => {
    const given = givenGoal();
    given.do('ann', reserve(['port:1'], { ttlS: 100 }));
    given
      .unknown('ann')
      .wait(99)
      .refused('bob', 'reserved', reserve(['port:1']));
    given.wait(1).do('bob', reserve(['port:1']));
    expect(given.told('ann')).toEqual(['claim-lost']);
    given.wait(10_000).refused('ann', 'reserved', reserve(['port:1']));
    given.dead('bob').do('ann', reserve(['port:1']));
  });

  it('is renewed by any write of its holder [R36]', () => {
    const given = givenGoal(['a', 'b']);
    given.do('ann', reserve(['port:1'], { ttlS: 100 }));
    given.unknown('ann').wait(60).do('ann', note('T1'));
    given.wait(60).refused('bob', 'reserved', reserve(['port:1']));
    given.wait(41).do('bob', reserve(['port:1']));
  });

  it('keeps its token when it is renewed', () => {
    const given = givenGoal();
    given.do('ann', reserve(['port:1']));
    const token = given.state.reservations.get('port:1 ann')?.token;
    given.wait(60).do('ann', reserve(['port:1'], { ttlS: 60 }));
    expect(given.state.reservations.get('port:1 ann')).toMatchObject({ token, ttlS: 60, renewedAt: given.wall });
  });

  it('that lapsed ends when something that overlaps it is taken, so that it cannot come back [R36]', () => {
    const given = givenGoal([lexer]);
    given.do('ann', reserve(['path:src/**'], { ttlS: 100 }));
    given
      .unknown('ann')
      .wait(100)
      .do('bob', reserve(['path:src/lexer/**']));
    expect(given.told('ann')).toEqual(['claim-lost']);
    given.see('ann', {});
    given.refused('ann', 'reserved', reserve(['path:src/**']));
    given.do('bob', reserve(['path:src/lexer/**'], { release: true }));
    given.refused('ann', 'not-found', reserve(['path:src/**'], { release: true }));
  });

  it.each(['', 'x', '8080', 'path:', 'path:/etc', 'path:../x'])('of "%s" is refused by its place', (text) => {
    const given = givenGoal();
    const refused = given.refused('ann', 'bad-argument', reserve(['port:1', text]));
    expect(refused.details.field).toBe('resources[1]');
  });

  it('of something nobody holds cannot be released', () => {
    const given = givenGoal();
    given.do('bob', reserve(['port:1']));
    given.refused('ann', 'not-found', reserve(['port:1'], { release: true }));
  });
});

describe('a claim that lapsed', () => {
  it('ends when a todo whose scope overlaps is claimed, so that two never hold one file [R36]', () => {
    const given = givenGoal([src, lexer]);
    const { token } = given.do('ann', claim('T1', { ttlS: 100 }));
    given.unknown('ann').wait(100).do('bob', claim('T2'));
    expect(given.told('ann')).toEqual(['claim-lost']);
    given.refused('ann', 'claim-lost', note('T1', token));
    given.refused('ann', 'reserved', claim('T1'));
    expect(given.todo('T1')).toMatchObject({ state: 'open' });
  });

  it('stays its holder’s when what is claimed beside it has nothing to do with it [R36]', () => {
    const given = givenGoal([src, docs]);
    given.do('ann', claim('T1', { ttlS: 100 }));
    given.unknown('ann').wait(100).do('bob', claim('T2'));
    given.do('ann', note('T1'));
    expect(given.claim('T1')?.holder).toBe('ann');
  });
});
