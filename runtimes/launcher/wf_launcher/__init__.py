"""The program that runs beside a task: sandbox, staging, measuring, publishing, record."""

VERSION = "0.1.0"
