export { InstanceDocuments, type Overview } from './instance-documents.js';
export { InstanceModule } from './instance.module.js';
export { InstanceTotals } from './instance-totals.entity.js';
export { InstanceV1Shape, InstanceV2Shape } from './instance.shape.js';
export { NodeInfo20Shape, NodeInfo21Shape, NodeInfoLinksShape } from './nodeinfo.shape.js';
export { pictureUrl, shortDescription } from './presentation.js';
