import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { textOf } from '../../support/docs.ts';
import { sourceFiles, sourceOf } from '../../support/sources.ts';

const folders = ['bin', 'functions', 'infra', 'shared'];
const files = sourceFiles(folders);
const words = new Set(files.flatMap((file) => sourceOf(file).match(/\w+/g) ?? []));

/** The identifiers that the glossary has in backticks. */
const names = [...textOf('docs/glossary.md').matchAll(/`([A-Za-z]\w+)`/g)].map(([, name = '']) => name);

/** Private words of earlier versions; the glossary has the terms of the field. */
const retired =
  /\b(LostRace|untilWon|putAlone|tellBooking|tellPayment|lookAfterPayment|lookSoon|oweRefund|giveBack|asGateway|atGateway|hoursForGood|requireAtHome|Answered|Standing|Admission|gatekeeper|SearchSign|[pP]lumbing|startPlumbing|PaymentBank|BankPayment|RingingMetric|noteMoney|pageThrough|pageOfJudged|ownError|Workplace|whereabouts)\b/;

const linesOf = (file: string, pattern: RegExp): string[] =>
  sourceOf(file)
    .split('\n')
    .filter((line) => pattern.test(line))
    .map((line) => `${file}: ${line.trim()}`);

describe('the glossary', () => {
  it('names identifiers that the code has', () => {
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => !words.has(name))).toEqual([]);
  });

  it('has replaced the private words of earlier versions', () => {
    expect(files.flatMap((file) => linesOf(file, retired))).toEqual([]);
    expect(files.filter((file) => retired.test(basename(file, '.ts')))).toEqual([]);
  });
});
