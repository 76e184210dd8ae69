// What failed, in a line each: `npm test` says it again at its end, since a table of an hour ago is soon out of sight.

/** Names of the tests that failed, as Node's spec reporter repeats them at its end; the name of the command without any. */
export function failedTests({ name, code, output, tests = false }) {
  if (code === 0) return [];
  const at = output.search(/^\S+ failing tests:$/m);
  const found = at < 0 || !tests ? [] : [...output.slice(at).matchAll(/^\s*✖ (.+?)(?: \([\d.]+ms\))?$/gm)];
  const names = [...new Set(found.map(([, test]) => test))].filter((test) => test !== 'failing tests:');
  return names.length > 0 ? names.map((test) => `${name}: ${test}`) : [`${name}: ended with ${code}`];
}

/** Verdicts that were neither a pass nor told why they were not tried. */
export const failedVerdicts = (verdicts) =>
  verdicts
    .filter(({ outcome }) => !['pass', 'unsupported', 'skipped'].includes(outcome))
    .map(({ requirement, outcome, scenario, findings }) => {
      const seen = findings.filter((finding) => finding.outcome === outcome).map((finding) => finding.seen);
      return `${scenario}: ${requirement} ${outcome}${seen.length > 0 ? `: ${seen.join('; ')}` : ''}`;
    });

/** The lines of `quiesce detection` on what a fault should have broken and did not, and on what broke besides. */
export const failedTrials = (output) => output.match(/^(?:missed|false alarm): .*$/gm) ?? [];
