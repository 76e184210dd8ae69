import { differences, type DifferenceName } from '../requirements/differences.ts';
import type { Finding } from './verdict.ts';

/**
 * A finding that tells document and implementation apart: a fail says what each of them does and that the system was seen to
 * do the latter, so that its owner knows which of the two to change; a pass says that it was seen to do the former.
 */
export function toldApart(finding: Finding, name: DifferenceName): Finding {
  const { document, implementation } = differences[name];
  const both = `the document ${document.says} (${document.source}); the implementation ${implementation.does} (${implementation.source})`;
  if (finding.outcome === 'fail') {
    return { ...finding, seen: `${finding.seen}. As implemented, known difference ${name}: ${both}` };
  }
  if (finding.outcome !== 'pass') return finding;
  const note = `as documented, known difference ${name}: ${both}`;
  return { ...finding, note: finding.note === undefined ? note : `${finding.note}; ${note}` };
}
