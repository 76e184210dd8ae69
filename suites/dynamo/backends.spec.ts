import { scenarioTests } from '../../fixtures/test.ts';
import { dynamoBackends } from './backends/index.ts';

scenarioTests('Dynamo backends', dynamoBackends);
