/** The client against a real platform. The files that advance the platform's clock come last. */
import './journeys/deliveries.ts';
import './journeys/uploads.ts';
import './journeys/downloads.ts';
import './journeys/users.ts';
import './journeys/executions.ts';
import './journeys/api-key.ts';
