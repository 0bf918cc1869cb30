// Prints vitest's JSON reports in one line: "12 passed, 0 failed, 1 skipped".
import { readFileSync } from 'node:fs';

const readReport = (path) => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    console.error('vitest wrote no report');
    return { numPassedTests: 0, numFailedTests: 1, success: false };
  }
};

const reports = process.argv.slice(2).map(readReport);
const sum = (count) => reports.reduce((total, report) => total + count(report), 0);
// A file that cannot be loaded has no tests to count, but is a failure.
const broken = ({ testResults = [] }) =>
  testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length;
const failed = sum((report) => report.numFailedTests + broken(report));
const skipped = sum(({ numPendingTests = 0, numTodoTests = 0 }) => numPendingTests + numTodoTests);
if (failed > 0 || reports.some(({ success }) => !success)) process.exitCode = 1;
console.log(`${sum((report) => report.numPassedTests)} passed, ${failed} failed, ${skipped} skipped`);
