import { ExpressAdapter } from '@nestjs/platform-express';
import type { HttpServer } from './http-server.js';

/** Nest's adapter for express, on a server that exists already and may listen. */
export class HttpAdapter extends ExpressAdapter {
  constructor(private readonly http: HttpServer) {
    super();
  }

  override initHttpServer(): void {
    this.httpServer = this.http.server;
  }
}
