import { api } from '../support/api.ts';
import { testHostileBodies } from './hostile-bodies.ts';

testHostileBodies({ api: await api(), takes: ({ id }) => id !== 'createParameterSet' });
