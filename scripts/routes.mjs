// Prints every route of the built server: method, path, access and scopes, separated by tabs. Needs no database: Nest's
// preview mode creates only the routes.
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../dist/app.module.js';
import { listRoutes } from '../dist/common.index.js';
import { HttpAdapter, HttpServer, readEnv } from '../dist/platform.index.js';
import { StreamingAdapter } from '../dist/streaming.index.js';

const nowhere = { host: '', port: 0, user: '', password: '', database: '' };
const options = { preview: true, logger: false, bodyParser: false, abortOnError: false };
const env = readEnv({});
const adapter = new HttpAdapter(new HttpServer(env));
const app = await NestFactory.create(AppModule.register(env, nowhere), adapter, options);
app.useWebSocketAdapter(new StreamingAdapter(app));
await app.init();

const lines = listRoutes(app).map(({ method, path, access, scopes }) =>
  [method, path, access, scopes.join('|')].join('\t'),
);
process.stdout.write(`${lines.join('\n')}\n`, () => process.exit()); // a pipe needs time for the rest
