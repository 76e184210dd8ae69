import { scenarioTests } from '../../fixtures/test.ts';
import { kills, retirement } from './retirement/index.ts';

scenarioTests('Retirement protocol', [...retirement, ...kills]);
