import { Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { ProblemFilter } from './problem.filter.js';

/** What every HTTP answer has in common. The server itself is made by `createHttpAdapter`, before Nest is there. */
@Module({ providers: [{ provide: APP_FILTER, useClass: ProblemFilter }] })
export class HttpModule {}
