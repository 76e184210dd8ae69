import { entries, type Row } from '../../../src/requirements/entries.ts';
import type { Requirement, Source } from '../../../src/requirements/requirement.ts';

const page = 'NVIDIA Dynamo, Graceful Shutdown Architecture';
const commit = 'commit 08870e0, a later generation of the page';

/** Tables that the saved text lost, read on the page's own repository, and the companion page. */
export const tables = {
  signals: `table of the signals, ${commit}`,
  draining: `table of the values of graceful_shutdown, ${commit}`,
  components: `table of the components, ${commit}`,
  companion: 'companion page Request Migration Architecture: --migration-limit is 0 by default, which is off',
} as const;

/** A sentence of the saved text, or lines of its code, by place and hash. */
export const said = (lines: number | readonly [number, number], sentence: string, table?: string): Source => ({
  page,
  lines: typeof lines === 'number' ? [lines, lines] : lines,
  sentence,
  ...(table === undefined ? {} : { table }),
});

/** A statement that stands only in a table which the saved text lost. */
export const tabled = (table: string): Source => ({ page, table });

/** The rows of one section of the catalogue; the page names no version. */
export const rows = (section: string, list: readonly Row[]): Requirement[] =>
  entries({ document: 'dynamo', section, versions: 'all' }, list);
