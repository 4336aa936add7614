export { StreamingAdapter } from './sockets/streaming.adapter.js';
export { Shout } from './shoutbox/shout.entity.js';
export { StreamingModule } from './streaming.module.js';
