import { scenarioTests } from '../../fixtures/test.ts';
import { dynamoFrontend } from './frontend/index.ts';

scenarioTests('Dynamo frontend', dynamoFrontend);
