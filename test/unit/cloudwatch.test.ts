import { describe, expect, it } from 'vitest';
import { ruleHolds } from '../support/boolean-rule.ts';

const holds = (rule: string) => ruleHolds(rule, /ALARM\("\w+"\)/, (atom) => atom.includes('yes'));

describe('a rule of alarms', () => {
  it.each([
    ['ALARM("yes")', true],
    ['ALARM("no")', false],
    ['(ALARM("yes") AND ((ALARM("no") AND ALARM("yes")) OR (ALARM("yes") AND ALARM("yes"))))', true],
    ['(ALARM("no") AND (ALARM("yes") OR ALARM("yes")))', false],
    ['ALARM("yes") OR ALARM("no") AND ALARM("no")', true],
  ])('%s is %s', (rule, expected) => {
    expect(holds(rule)).toBe(expected);
  });

  it.each(['(ALARM("yes")', 'ALARM("yes") NOT', 'yes'])('%s is refused', (rule) => {
    expect(() => holds(rule)).toThrow();
  });
});
