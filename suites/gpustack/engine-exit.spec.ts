import { scenarioTests } from '../../fixtures/test.ts';
import { engineExit } from './engine-exit/index.ts';

scenarioTests('Engine exit', engineExit);
