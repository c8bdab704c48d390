import { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';

/** The request and response classes for `createServer`. */
export interface Messages {
  IncomingMessage: typeof IncomingMessage;
  ServerResponse: typeof ServerResponse<IncomingMessage>;
  /** Creates all further messages with the prototypes of this application. */
  belongTo(app: Express): void;
}

/**
 * Express changes the prototype of every request and response when it arrives, which makes V8 drop its
 * optimizations for the object: a quarter of the time of a small request. These classes start with that prototype,
 * so nothing changes later.
 */
export function expressMessages(): Messages {
  // Functions, because the prototype of a class is read-only.
  function Request(socket: unknown) {
    return Reflect.construct(IncomingMessage, [socket], Request);
  }
  function Response(request: unknown, options: unknown) {
    return Reflect.construct(ServerResponse, [request, options], Response);
  }
  Request.prototype = IncomingMessage.prototype;
  Response.prototype = ServerResponse.prototype;
  return {
    IncomingMessage: Request as unknown as typeof IncomingMessage,
    ServerResponse: Response as unknown as typeof ServerResponse<IncomingMessage>,
    belongTo(app) {
      Request.prototype = app.request;
      Response.prototype = app.response;
    },
  };
}
