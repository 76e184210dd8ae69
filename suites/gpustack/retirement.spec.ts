import { scenarioTests } from '../../fixtures/test.ts';
import { retirement } from './retirement/index.ts';

scenarioTests('Retirement protocol', retirement);
