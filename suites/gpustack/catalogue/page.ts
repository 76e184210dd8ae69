import { entries, type Row } from '../../../src/requirements/entries.ts';
import { profiles } from '../../../src/requirements/profiles.ts';
import type { Requirement, Source } from '../../../src/requirements/requirement.ts';

const page = 'GPUStack operator v0.9.2, Model Deployment Shutdown';
const commit = 'commit 162ac62c, the last before v0.9.2';

/** Tables that the saved text lost, read on the page's own repository. */
export const tables = {
  timeline: `timeline table of the drain window, ${commit}`,
  gauges: `table of the gauges that the hook sums, ${commit}`,
  bounds: `table of the bounds of a member read, ${commit}`,
  refusals: `table "Drain read refusals", ${commit}`,
  status: `status page of ModelDeployment, ${commit}`,
} as const;

/** A sentence of the saved text, by line and hash; `table` where a part of the statement stands in a lost table. */
export const said = (line: number, sentence: string, table?: string): Source => ({
  page,
  lines: [line, line],
  sentence,
  ...(table === undefined ? {} : { table }),
});

/** A statement that stands only in a table which the saved text lost. */
export const tabled = (table: string): Source => ({ page, table });

/** Every release that a profile is for: what v0.9.2 promises holds in the later ones, where a row does not say otherwise. */
const releases = Object.values(profiles).map(({ release }) => release);

/** Releases in which the protocol lets a prefill or decode replica go once its grace window has passed. */
export const splitWaits = Object.values(profiles).flatMap(({ release, split }) => (split === 'waits' ? [release] : []));

/** The rows of one section of the page. */
export const rows = (section: string, list: readonly Row[]): Requirement[] =>
  entries({ document: 'gpustack', section, versions: releases }, list);
