import { expect, it } from 'vitest';
import { type Finding, Steps } from './steps.ts';

/** Plays the runs of a test that fails where `fails` says so; returns the runs and what they found. */
const play = (
  sites: string[],
  fails: (site: string | null, run: number) => boolean,
  isKilled: (site: string) => boolean = () => false,
): { runs: (string | null)[]; findings: Finding[] } => {
  const steps = new Steps(sites, isKilled);
  const runs: (string | null)[] = [];
  const findings: Finding[] = [];
  for (let site = steps.next(); site !== undefined && runs.length < 50; site = steps.next()) {
    runs.push(site);
    const finding = steps.finished(fails(site, runs.length));
    if (finding) findings.push(finding);
  }
  return { runs, findings };
};

it('runs a test twice without a mutant, then with each', () => {
  const { runs, findings } = play(['a', 'b'], (site) => site === 'b');
  // `b` fails after `a`, which may have left something behind: this failure does not count.
  expect(runs).toEqual([null, null, 'a', 'b', null, 'b', null, 'b']);
  expect(findings).toEqual([
    { what: 'survived', site: 'a' },
    { what: 'killed', site: 'b' },
  ]);
});

it('does not take one failure, which may be a missed time limit, for a death', () => {
  const { runs, findings } = play(['a', 'b'], (_, run) => run === 3);
  expect(runs).toEqual([null, null, 'a', null, 'a', 'b']);
  expect(findings).toEqual([
    { what: 'survived', site: 'a' },
    { what: 'survived', site: 'b' },
  ]);
});

it('does not take the leavings of one mutant for the death of another', () => {
  const { findings } = play(['a', 'b'], (site, run) => site !== 'a' && run > 3);
  expect(findings).toEqual([
    { what: 'survived', site: 'a' },
    { what: 'unusable', why: 'afterwards' },
  ]);
});

it('gives up a test that fails alone, or when it is repeated', () => {
  expect(play(['a'], () => true).findings).toEqual([{ what: 'unusable', why: 'alone' }]);
  expect(play(['a'], (_, run) => run === 2).findings).toEqual([{ what: 'unusable', why: 'repeated' }]);
});

it('leaves out mutants that another test has killed', () => {
  expect(
    play(
      ['a', 'b'],
      () => false,
      (site) => site === 'a',
    ).runs,
  ).toEqual([null, null, 'b']);
  expect(
    play(
      ['a'],
      () => false,
      () => true,
    ).runs,
  ).toEqual([]);
});
