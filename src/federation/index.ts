export { FederationModule } from './federation.module.js';
