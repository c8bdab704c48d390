/** What the client does with a real platform, one part a file. Those that move its clock come last. */
import './journeys/deliveries.ts';
import './journeys/package.ts';
import './journeys/uploads.ts';
import './journeys/downloads.ts';
import './journeys/users.ts';
import './journeys/executions.ts';
import './journeys/api-key.ts';
