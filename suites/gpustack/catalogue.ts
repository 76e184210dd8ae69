import type { Requirement } from '../../src/requirements/requirement.ts';
import { drainWindow } from './catalogue/drain-window.ts';
import { engineExit } from './catalogue/engine-exit.ts';
import { graceAndCapacity } from './catalogue/grace-and-capacity.ts';
import { hookReads } from './catalogue/hook-reads.ts';
import { limitations } from './catalogue/limitations.ts';
import { memberRead } from './catalogue/member-read.ts';
import { refusals } from './catalogue/refusals.ts';
import { retirement } from './catalogue/retirement.ts';

const byId = (a: Requirement, b: Requirement): number => (a.id < b.id ? -1 : 1);

/** What the shutdown page of the GPUStack operator promises, v0.9.2: 88 statements, section by section. */
export const gpustack: readonly Requirement[] = [
  ...[...drainWindow, ...hookReads, ...graceAndCapacity, ...engineExit].sort(byId),
  ...[...retirement, ...memberRead, ...refusals].sort(byId),
  ...limitations,
];
