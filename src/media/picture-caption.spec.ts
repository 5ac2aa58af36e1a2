import { describe, expect, it } from '@jest/globals';
import { readCaption } from './picture-caption.js';

describe('readCaption', () => {
  it.each([
    ['Look 1', '1'],
    ['look 12A', '12A'],
    ['LOOK12a', '12A'],
    ['Look 007', '7'],
    ['Look #3', '3'],
    ['Look No. 3', '3'],
    ['Look: 3 — silk', '3'],
    ['Look 12 A coat', '12'],
    ['Look 12-piece suit', '12'],
    ['造型 12', '12'],
    ['造型12A', '12A'],
    ['12号造型', '12'],
    ['第12套造型', '12'],
    ['第 3 套', '3'],
    ['第３套造型', '3'],
    ['Looks', null],
    ['Final look', null],
    ['系列造型', null],
  ])('reads %j as a look labelled %j', (caption, look) => {
    expect(readCaption(caption)).toEqual({ kind: 'look', look });
  });

  it.each([
    ['Detail Look 3', 'detail'],
    ['Details', 'detail'],
    ['Look 5 (detail)', 'detail'],
    ['造型12 细节', 'detail'],
    ['細節', 'detail'],
    ['Beauty Look 6', 'beauty'],
    ['Beauty', 'beauty'],
    ['妆容', 'beauty'],
    ['Backstage', 'backstage'],
    ['Back stage at the show', 'backstage'],
    ['后台', 'backstage'],
    ['Front Row', 'front_row'],
    ['front-row guests', 'front_row'],
    ['秀场前排', 'front_row'],
    ['Atmosphere', 'atmosphere'],
    ['现场氛围', 'atmosphere'],
    ['Australia Resort 2026', 'other'],
    ['Outlook 12', 'other'],
    ['Lookbook 2026', 'other'],
    ['', 'other'],
  ])('reads %j as %s, which has no look’s number', (caption, kind) => {
    expect(readCaption(caption)).toEqual({ kind, look: null });
  });
});
