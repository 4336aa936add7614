export { StreamingModule } from './streaming.module.js';
