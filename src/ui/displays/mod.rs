//! How each shape of a result is drawn, one file per `domain::Display`.
