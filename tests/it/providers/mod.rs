//! Every wire against recorded and scripted streams.
