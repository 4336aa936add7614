import { Module } from '@nestjs/common';
import { FrontendPagesModule } from '../frontends/frontend-pages.module.js';
import { VisitorsModule } from '../visitors/visitors.module.js';
import { UnknownPathsController } from './unknown-paths.controller.js';

/** Stands last among all modules: its routes take every path. */
@Module({ imports: [FrontendPagesModule, VisitorsModule], controllers: [UnknownPathsController] })
export class UnknownPathsModule {}
