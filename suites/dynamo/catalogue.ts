import type { Requirement } from '../../src/requirements/requirement.ts';
import { cleanup } from './catalogue/cleanup.ts';
import { endpoints } from './catalogue/endpoints.ts';
import { errors } from './catalogue/errors.ts';
import { frontend } from './catalogue/frontend.ts';
import { kubernetes } from './catalogue/kubernetes.ts';
import { migration } from './catalogue/migration.ts';
import { signals } from './catalogue/signals.ts';

/** What Dynamo's page on graceful shutdown promises: 40 statements, in the order of the page. */
export const dynamo: readonly Requirement[] = [
  ...signals,
  ...endpoints,
  ...frontend,
  ...migration,
  ...cleanup,
  ...errors,
  ...kubernetes,
];
