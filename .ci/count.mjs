// Prints vitest's JSON report in one line: "12 passed, 0 failed, 1 skipped".
import { readFileSync } from 'node:fs';

const readReport = (path) => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    console.error('vitest wrote no report');
    return { numPassedTests: 0, numFailedTests: 1, success: false };
  }
};

const report = readReport(process.argv[2]);
const skipped = (report.numPendingTests ?? 0) + (report.numTodoTests ?? 0);
// A file that cannot be loaded has no tests to count, but is a failure.
const broken = (report.testResults ?? []).filter(
  (file) => file.status === 'failed' && file.assertionResults.length === 0,
);
const failed = report.numFailedTests + broken.length;
if (failed > 0 || !report.success) process.exitCode = 1;
console.log(`${report.numPassedTests} passed, ${failed} failed, ${skipped} skipped`);
