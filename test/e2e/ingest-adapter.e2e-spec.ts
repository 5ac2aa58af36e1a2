import { describe, expect, it } from '@jest/globals';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { AppModule } from '../../src/app.module.js';
import { AppLogger } from '../../src/platform/logging/app-logger.js';
import { createTestDatabase } from '../harness/database.js';

describe('the intake', () => {
  it('refuses to start on a server that would parse signed bodies before the check', async () => {
    const db = await createTestDatabase();
    try {
      const building = Test.createTestingModule({ imports: [AppModule.with(db.config)] });
      const built = await building.setLogger(new AppLogger('text', 'error')).compile();
      const app = built.createNestApplication(new FastifyAdapter());
      await expect(app.init()).rejects.toThrow(/signed bodies as they came.*createHttpAdapter/);
      await app.close();
    } finally {
      await db.drop();
    }
  });
});
