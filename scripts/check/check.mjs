// `npm run check`: format, lint, types, layers, dead exports and unit tests, two at a time. One line each, then the
// output of those that failed. Exit code 1 where one did.
import { fileURLToPath } from 'node:url';
import { checks } from './commands.mjs';
import { failedTests } from './failed.mjs';
import { runAll } from './pool.mjs';
import { line, skippedTests, sum, totalOf } from './totals.mjs';

/** Commands at a time: more of them on two cores make each wait for the other. */
const WIDTH = 2;

/** Runs commands, prints what they came to, and returns their total and what went `wrong`, a line each. */
export async function runAndTell(commands) {
  const results = await runAll(commands, WIDTH, (result) => {
    const told = result.tests ? `  ${line(totalOf(result))}` : '';
    const mark = result.code === 0 ? 'ok  ' : 'FAIL';
    console.log(`${mark} ${result.name.padEnd(14)} ${result.seconds.toFixed(1).padStart(6)} s${told}`);
  });
  for (const { name, code, output, tests } of results) {
    if (tests) for (const skipped of skippedTests(output)) console.log(`skipped: ${skipped}`);
    if (code !== 0) console.log(`\n--- ${name}\n${(tests ? failures(output) : output).trimEnd()}`);
  }
  const total = sum(results.map(totalOf));
  // A command that was never started, since the check was interrupted, is no pass.
  return { ...total, failed: total.failed + (commands.length - results.length), wrong: results.flatMap(failedTests) };
}

/** Node's spec reporter repeats each failure at its end; the passes above it are noise. */
const failures = (output) => {
  const at = output.search(/^\S+ failing tests:$/m);
  return at < 0 ? output : output.slice(at);
};

process.chdir(fileURLToPath(new URL('../..', import.meta.url)));
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const total = await runAndTell(checks());
  console.log(line(total));
  process.exitCode ??= total.failed > 0 ? 1 : 0;
}
