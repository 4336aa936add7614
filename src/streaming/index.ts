export { StreamingAdapter } from './sockets/streaming.adapter.js';
export { StreamingModule } from './streaming.module.js';
