import { propertySettings } from "@wf/testing";
import fc from "fast-check";

fc.configureGlobal(propertySettings());
