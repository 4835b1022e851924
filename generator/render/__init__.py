"""Renderers: each turns a Trace and a plan into bytes and knows no folder."""
