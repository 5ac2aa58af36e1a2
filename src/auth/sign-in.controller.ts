import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { AppError } from '../lib/app-error.js';
import { Public } from './access.decorators.js';
import type { ActorRole } from './actor.js';
import { SESSION_COOKIE } from './credentials.js';
import type { ActorsRequest } from './request-of.js';
import { SignIn } from './sign-in.service.js';
import { SESSION_SECONDS } from './user-sessions.repository.js';

/** Signing in and out, for browsers. The parsers of this house take JSON alone, so no form of another site gets here. */
@Controller('auth')
export class SignInController {
  constructor(private readonly service: SignIn) {}

  @Post('login')
  @HttpCode(200)
  @Public()
  async login(
    @Body() body: unknown,
    @Req() request: ActorsRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<{ name: string; role: ActorRole }> {
    const { name, password } = credentialsOf(body);
    const from = { address: request.ip, userAgent: request.headers['user-agent'] ?? '' };
    const { token, actor } = await this.service.signIn(name, password, from);
    void reply.setCookie(SESSION_COOKIE, token, { ...cookieFor(request), maxAge: SESSION_SECONDS });
    void reply.header('Cache-Control', 'no-store');
    return { name: actor.name, role: actor.role };
  }

  @Post('logout')
  @HttpCode(204)
  @Public()
  async logout(@Req() request: ActorsRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    await this.service.signOut(request.cookies[SESSION_COOKIE] ?? '');
    void reply.clearCookie(SESSION_COOKIE, cookieFor(request));
  }
}

/** Over plain HTTP a browser takes the cookie on its own machine only; anywhere else it would travel readable. */
function cookieFor({ protocol, hostname, socket }: ActorsRequest): {
  httpOnly: true;
  sameSite: 'lax';
  path: '/';
  secure: boolean;
} {
  const isHere =
    protocol === 'http' && isLoopback(hostname.replace(/:\d+$/, '')) && isLoopback(socket.remoteAddress ?? '');
  return { httpOnly: true, sameSite: 'lax', path: '/', secure: !isHere };
}

function isLoopback(host: string): boolean {
  return /^(?:localhost|(?:::ffff:)?127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
}

function credentialsOf(body: unknown): { name: string; password: string } {
  const { name, password } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  if (typeof name === 'string' && typeof password === 'string') return { name, password };
  throw new AppError('malformed-request', 'Send {"name": "…", "password": "…"} as JSON.', { status: 400 });
}
