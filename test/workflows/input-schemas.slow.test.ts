import { schemaChecks, testHostileSchemas } from './schema-checks.ts';

testHostileSchemas(schemaChecks(), 'others');
