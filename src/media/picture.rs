//! Pictures are decoded once before they are sent: what a decoder refuses here, a server would refuse for the rest
//! of the session.

use std::{io::Cursor, num::NonZeroU64};

use super::check::Flaw;

/// The longest side.
const SIDE: u32 = 16_384;
/// The most points.
const POINTS: u64 = 16 << 20;
/// The most bytes when it is decoded.
const DECODED: usize = 64 << 20;
/// The most frames of one that moves.
const FRAMES: u32 = 256;

/// Decodes a picture; answers width and height.
pub(super) fn check(mime: &str, bytes: &[u8]) -> Result<(u32, u32), Flaw> {
    match mime {
        "image/png" => png(bytes),
        "image/jpeg" => jpeg(bytes),
        "image/gif" => gif(bytes),
        "image/webp" => webp(bytes),
        _ => Err(Flaw::Damaged),
    }
}

fn fits(width: u32, height: u32) -> Result<(u32, u32), Flaw> {
    let points = u64::from(width) * u64::from(height);
    if points == 0 {
        Err(Flaw::Damaged)
    } else if width > SIDE || height > SIDE || points > POINTS {
        Err(Flaw::Large(width, height))
    } else {
        Ok((width, height))
    }
}

/// Room for a decoded picture.
fn room(size: Option<usize>, (width, height): (u32, u32)) -> Result<Vec<u8>, Flaw> {
    match size {
        Some(size) if size <= DECODED => Ok(vec![0; size]),
        _ => Err(Flaw::Large(width, height)),
    }
}

fn damaged<E>(_: E) -> Flaw {
    Flaw::Damaged
}

fn few(frames: u32) -> Result<(), Flaw> {
    if frames > FRAMES {
        return Err(Flaw::Frames(FRAMES));
    }
    Ok(())
}

fn png(bytes: &[u8]) -> Result<(u32, u32), Flaw> {
    let limits = png::Limits { bytes: DECODED };
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(bytes), limits);
    decoder.set_transformations(png::Transformations::STRIP_16);
    let about = decoder.read_header_info().map_err(damaged)?;
    let size = fits(about.width, about.height)?;
    let mut reader = decoder.read_info().map_err(damaged)?;
    few(reader
        .info()
        .animation_control
        .map_or(1, |moving| moving.num_frames))?;
    let mut points = room(reader.output_buffer_size(), size)?;
    reader.next_frame(&mut points).map_err(damaged)?;
    reader.finish().map_err(damaged)?;
    Ok(size)
}

fn jpeg(bytes: &[u8]) -> Result<(u32, u32), Flaw> {
    let mut decoder = zune_jpeg::JpegDecoder::new(Cursor::new(bytes));
    decoder.decode_headers().map_err(damaged)?;
    let (width, height) = decoder.dimensions().ok_or(Flaw::Damaged)?;
    let size = fits(width as u32, height as u32)?;
    let mut points = room(decoder.output_buffer_size(), size)?;
    decoder.decode_into(&mut points).map_err(damaged)?;
    // The decoder fills up a picture that breaks off.
    let is_ended = bytes.windows(2).rev().any(|mark| mark == [0xFF, 0xD9]);
    is_ended.then_some(size).ok_or(Flaw::Damaged)
}

fn gif(bytes: &[u8]) -> Result<(u32, u32), Flaw> {
    let mut options = gif::DecodeOptions::new();
    if let Some(most) = NonZeroU64::new(DECODED as u64) {
        options.set_memory_limit(gif::MemoryLimit::Bytes(most));
    }
    let mut decoder = options.read_info(Cursor::new(bytes)).map_err(damaged)?;
    let (width, height) = (u32::from(decoder.width()), u32::from(decoder.height()));
    let size = fits(width, height)?;
    let (mut frames, mut points) = (0, 0);
    while let Some(frame) = decoder.read_next_frame().map_err(damaged)? {
        frames += 1;
        few(frames)?;
        points += u64::from(frame.width) * u64::from(frame.height);
        if points > 4 * POINTS {
            return Err(Flaw::Large(width, height));
        }
    }
    (frames > 0).then_some(size).ok_or(Flaw::Damaged)
}

fn webp(bytes: &[u8]) -> Result<(u32, u32), Flaw> {
    let mut decoder = image_webp::WebPDecoder::new(Cursor::new(bytes)).map_err(damaged)?;
    decoder.set_memory_limit(DECODED);
    let (width, height) = decoder.dimensions();
    let size = fits(width, height)?;
    few(decoder.num_frames())?;
    let mut points = room(decoder.output_buffer_size(), size)?;
    decoder.read_image(&mut points).map_err(damaged)?;
    Ok(size)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn png_of(width: u32, height: u32) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, width, height);
        encoder.set_color(png::ColorType::Grayscale);
        let mut writer = encoder.write_header().unwrap();
        let points = (width * height) as usize;
        writer.write_image_data(&vec![7; points]).unwrap();
        drop(writer);
        bytes
    }

    fn gif_of(frames: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = gif::Encoder::new(&mut bytes, 3, 2, &[0, 0, 0, 255, 255, 255]).unwrap();
        for _ in 0..frames {
            let frame = gif::Frame::from_indexed_pixels(3, 2, [0, 1, 0, 1, 0, 1], None);
            encoder.write_frame(&frame).unwrap();
        }
        drop(encoder);
        bytes
    }

    fn webp_of(width: u32, height: u32) -> Vec<u8> {
        let mut bytes = Vec::new();
        let points = vec![9; (width * height * 3) as usize];
        image_webp::WebPEncoder::new(&mut bytes)
            .encode(&points, width, height, image_webp::ColorType::Rgb8)
            .unwrap();
        bytes
    }

    /// 1×1, baseline, grey.
    const JPEG: &[u8] = include_bytes!("../../tests/fixtures/media/dot.jpg");

    #[test]
    fn whole_pictures_pass_with_their_size() {
        assert_eq!(check("image/png", &png_of(5, 4)), Ok((5, 4)));
        assert_eq!(check("image/gif", &gif_of(2)), Ok((3, 2)));
        assert_eq!(check("image/webp", &webp_of(6, 7)), Ok((6, 7)));
        assert_eq!(check("image/jpeg", JPEG), Ok((24, 16)));
    }

    #[test]
    fn a_picture_that_breaks_off_anywhere_is_damaged() {
        for (mime, bytes) in [
            ("image/png", png_of(5, 4)),
            ("image/webp", webp_of(6, 7)),
            ("image/jpeg", JPEG.to_vec()),
        ] {
            for end in [0, 9, bytes.len() / 2, bytes.len() - 4] {
                assert_eq!(
                    check(mime, &bytes[..end]),
                    Err(Flaw::Damaged),
                    "{mime} of {} bytes cut at {end}",
                    bytes.len()
                );
            }
        }
        let gif = gif_of(1);
        assert_eq!(
            check("image/gif", &gif[..gif.len() / 2]),
            Err(Flaw::Damaged)
        );
    }

    #[test]
    fn a_picture_that_is_larger_than_can_be_shown_is_never_decoded() {
        let mut huge = png_of(5, 4);
        huge[16..20].copy_from_slice(&20_000_u32.to_be_bytes());
        // The sum behind the header.
        let sum = crc(&huge[12..29]);
        huge[29..33].copy_from_slice(&sum.to_be_bytes());

        assert_eq!(check("image/png", &huge), Err(Flaw::Large(20_000, 4)));
        assert_eq!(fits(16_384, 1_024), Ok((16_384, 1_024)));
        assert_eq!(fits(16_384, 1_025), Err(Flaw::Large(16_384, 1_025)));
        assert_eq!(check("image/gif", &gif_of(257)), Err(Flaw::Frames(256)));
        assert_eq!(check("image/gif", &gif_of(256)), Ok((3, 2)));
    }

    fn crc(bytes: &[u8]) -> u32 {
        !bytes.iter().fold(!0, |mut sum: u32, byte| {
            sum ^= u32::from(*byte);
            for _ in 0..8 {
                sum = (sum >> 1) ^ (0xEDB8_8320 & (sum & 1).wrapping_neg());
            }
            sum
        })
    }

    proptest! {
        #[test]
        fn no_bytes_break_a_decoder(
            which in 0..4_usize,
            at in any::<prop::sample::Index>(),
            bytes in prop::collection::vec(any::<u8>(), 0..40),
        ) {
            let (mime, mut picture) = match which {
                0 => ("image/png", png_of(5, 4)),
                1 => ("image/gif", gif_of(2)),
                2 => ("image/webp", webp_of(6, 7)),
                _ => ("image/jpeg", JPEG.to_vec()),
            };
            let at = at.index(picture.len());
            let end = (at + bytes.len()).min(picture.len());
            picture.splice(at..end, bytes);
            let _ = check(mime, &picture);
        }
    }
}
